import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { imagePrefix, renderGuide } from './guide-markdown.ts'

const folder = join(import.meta.dirname, '..', 'docs', 'guide')
const moduleName = 'virtual:muster-guide'

/** Pages in the order of the guide. Those that are not named here come last. */
const order = [
  'console',
  'apps',
  'privacy',
  'installing',
  'settings',
  'operating',
  'monitoring',
  'signing-in',
  'audit',
  'notices',
  'alerts',
  'events',
]

/** Provides the guide as a module. It is rendered from `docs/guide` at each build; the page itself parses no Markdown. */
export function guide(): Plugin {
  return {
    name: 'muster-guide',
    resolveId: (id) => (id === moduleName ? `\0${id}` : undefined),
    load(id) {
      if (id !== `\0${moduleName}`) return undefined
      const names = readdirSync(folder)
        .filter((file) => file.endsWith('.md'))
        .map((file) => file.slice(0, -3))
      const placeOf = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
      const sorted = names.toSorted((one, other) => placeOf(one) - placeOf(other) || (one < other ? -1 : 1))
      const pages = sorted.map((name) => {
        const file = join(folder, `${name}.md`)
        this.addWatchFile(file)
        return renderGuide(name, readFileSync(file, 'utf8'))
      })
      const images = readdirSync(join(folder, 'images'))
      return [
        ...images.map((file, at) => `import image${at} from ${JSON.stringify(join(folder, 'images', file))}`),
        `const images = {${images.map((file, at) => `${JSON.stringify(file)}: image${at}`).join(', ')}}`,
        `const withImages = (page) => ({ ...page, html: page.html.replaceAll(/${imagePrefix}([^"]+)/g, (_, file) => images[file] ?? '') })`,
        `export const guidePages = ${JSON.stringify(pages)}.map(withImages)`,
      ].join('\n')
    },
  }
}
