/** Deprecation dates of an API version, in UNIX seconds. */
export interface VersionDates {
  readonly version: string
  readonly deprecationTimestamp: number
  readonly sunsetTimestamp: number | null
}

/** Returns the URL of the page about the deprecation of a version. */
const versionPageUrl = (docsUrl: string, version: string): string => `${docsUrl}/versions/${version}`

/**
 * Returns the headers of a version that is or will be deprecated: `Deprecation` (RFC 9745, section 2), `Sunset` (RFC 8594,
 * section 3) if the date is known, and links to the page about them.
 */
function deprecationHeaders(
  { version, deprecationTimestamp, sunsetTimestamp }: VersionDates,
  docsUrl: string,
): Readonly<Record<string, string>> {
  const target = `<${versionPageUrl(docsUrl, version)}>`
  const links = [`${target}; rel="deprecation"; type="text/html"`]
  if (sunsetTimestamp === null) return { deprecation: `@${deprecationTimestamp}`, link: links.join(', ') }
  links.push(`${target}; rel="sunset"; type="text/html"`)
  return {
    deprecation: `@${deprecationTimestamp}`,
    sunset: new Date(sunsetTimestamp * 1000).toUTCString(),
    link: links.join(', '),
  }
}

/**
 * Caches the headers of a version until its dates change.
 *
 * @param datesOf returns the dates; the same object until they change
 */
export function versionHeaders(
  datesOf: () => VersionDates | undefined,
  docsUrl: string,
): () => Readonly<Record<string, string>> | undefined {
  let dates: VersionDates | undefined
  let headers: Readonly<Record<string, string>> | undefined
  return () => {
    const now = datesOf()
    if (now !== dates) {
      dates = now
      headers = now && deprecationHeaders(now, docsUrl)
    }
    return headers
  }
}
