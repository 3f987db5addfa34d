import manifest from '../../../package.json' with { type: 'json' }

/** The version of this release, as in the package's manifest. */
export const version: string = manifest.version
