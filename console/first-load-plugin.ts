import type { HtmlTagDescriptor, Plugin } from 'vite'

/** Modules that the first page needs in addition to the imports of main.tsx. */
const loadedFirst = /\/src\/shell\/shell\.tsx$/

/**
 * Optimizes index.html for slow connections. Styles move to the end of the body, so browsers paint the splash screen
 * first. The chunks of the shell are preloaded; otherwise browsers would discover them one after the other.
 */
export function firstLoad(): Plugin {
  return {
    name: 'muster-first-load',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const styles = html.match(/ *<link rel="stylesheet"[^>]*>\n/g) ?? []
        const moved = styles.reduce((text, line) => text.replace(line, ''), html)
        const linked = new Set([...html.matchAll(/assets\/[^"]+\.js/g)].map(([file]) => file))
        const chunks = Object.values(bundle ?? {}).filter((file) => file.type === 'chunk')
        const needed = chunks
          .filter(({ moduleIds }) => moduleIds.some((id) => loadedFirst.test(id)))
          .flatMap(({ fileName, imports }) => [fileName, ...imports])
        const tags = [...new Set(needed)]
          .filter((file) => !linked.has(file))
          .map(
            (file): HtmlTagDescriptor => ({
              tag: 'link',
              attrs: { rel: 'modulepreload', crossorigin: true, href: `/console/${file}` },
              injectTo: 'head',
            }),
          )
        return { html: moved.replace(/( *<script src="[^"]*theme\.js">)/, `${styles.join('')}$1`), tags }
      },
    },
  }
}
