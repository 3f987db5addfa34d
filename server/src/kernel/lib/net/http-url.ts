/** Returns an http or https address as it was given; null for anything else, such as `javascript:`. */
export function httpUrl(text: string | null): string | null {
  const protocol = text === null ? undefined : URL.parse(text)?.protocol
  return protocol === 'http:' || protocol === 'https:' ? text : null
}
