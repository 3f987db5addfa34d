/** App names that cannot be derived from their types. */
export interface AppNames {
  /** Names from which `plainType` derives the type. */
  readonly plain: readonly string[]
  /** Other names, by type. */
  readonly other: Readonly<Record<string, string>>
}

/** Returns a readable form of an app type: `Google Workspace` for `GOOGLE_WORKSPACE`. */
export const readableType = (type: string): string =>
  type
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join(' ')

/** Derives an app type from a name: `HUBSPOT` for `HubSpot`. */
export const plainType = (name: string): string =>
  name
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
