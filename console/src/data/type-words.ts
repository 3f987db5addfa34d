/** Names of apps that do not follow from their types. */
export interface AppNames {
  /** Names whose type is `plainType` of the name. */
  readonly plain: readonly string[]
  /** Other names, by type. */
  readonly other: Readonly<Record<string, string>>
}

/** `GOOGLE_WORKSPACE` as `Google Workspace`: the name of an app as far as its type tells. */
export const plainTypeWords = (type: string): string =>
  type
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join(' ')

/** Returns the type that a name alone gives: `HUBSPOT` for `HubSpot`. */
export const plainType = (name: string): string =>
  name
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
