/** The dates of a version of the API; UNIX seconds. */
export interface VersionDates {
  readonly version: string
  readonly deprecationTimestamp: number
  readonly sunsetTimestamp: number | null
}

/** Where people read about the end of a version, as they reach it. */
export const versionPageUrl = (docsUrl: string, version: string): string => `${docsUrl}/versions/${version}`

/**
 * The header fields of every answer of a version that is deprecated or will be: `Deprecation` (RFC 9745, section 2), `Sunset`
 * (RFC 8594, section 3) if its end is decided, and links to what there is to read about either.
 */
export function deprecationHeaders(
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
 * The header fields of a version for as long as its dates stay the same.
 *
 * @param datesOf gives the dates; the same object until they change
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
