import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { imagePrefix, renderGuide } from './guide-markdown.ts'
import { groupPages } from './guide-order.ts'
import { guideSiteFiles } from './guide-site/guide-site.ts'

const folder = join(import.meta.dirname, '..', 'docs', 'guide')
const moduleName = 'virtual:muster-guide'

/**
 * Provides the guide as a module, and as pages without scripts that the server shows at `/docs/guide/`. Both are rendered from
 * `docs/guide` at each build.
 */
export function guide(): Plugin {
  return {
    name: 'muster-guide',
    resolveId: (id) => (id === moduleName ? `\0${id}` : undefined),
    load(id) {
      if (id !== `\0${moduleName}`) return undefined
      const names = readdirSync(folder)
        .filter((file) => file.endsWith('.md'))
        .map((file) => file.slice(0, -3))
      const pages = groupPages(names)
        .flatMap(({ pages }) => pages)
        .map((name) => {
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
    generateBundle() {
      for (const [fileName, source] of guideSiteFiles(folder))
        this.emitFile({ type: 'asset', fileName: `guide-site/${fileName}`, source })
    },
  }
}
