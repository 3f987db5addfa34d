import manifest from '../../../../package.json' with { type: 'json' }

/** Version of this release. The root `package.json` is its only source; a guard compares the other packages with it. */
export const version: string = manifest.version
