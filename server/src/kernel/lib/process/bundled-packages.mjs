// Makes Node load typebox from the bundle of `scripts/bundle-typebox.ts` instead of 537 files: commands start in half the time
// (docs/adr/0045). Without a bundle, the package is loaded. Plain JavaScript, because it is loaded before anything else, in
// every thread.
import { existsSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const packages = join(import.meta.dirname, '../../../../../node_modules')
const own = `${pathToFileURL(join(packages, 'typebox'))}/`
/** @type {string | null | undefined} */
let bundle

/** @returns the URL of the bundle of the installed version, or null */
function findBundle() {
  const { version } = JSON.parse(readFileSync(join(packages, 'typebox', 'package.json'), 'utf8'))
  const folder = join(packages, '.cache', 'muster', `typebox-${version}`)
  return existsSync(folder) ? `${pathToFileURL(folder)}/` : null
}

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context)
    if (!specifier.includes('typebox') || !resolved.url.startsWith(own)) return resolved
    if (bundle === undefined) bundle = findBundle()
    return bundle === null ? resolved : { ...resolved, url: resolved.url.replace(own, bundle) }
  },
})
