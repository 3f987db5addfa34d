import { Marked, type Tokens } from 'marked'

/** Page of the guide, rendered from Markdown. */
export interface GuidePage {
  /** Name of the file, without `.md`. */
  readonly name: string
  readonly title: string
  /** Sections of the second level. */
  readonly sections: readonly { readonly id: string; readonly title: string }[]
  /** Content below the title. The sources of images start with {@link imagePrefix}. */
  readonly html: string
}

/** Start of the source of an image, before the name of its file in `docs/guide/images`. */
export const imagePrefix = 'guide-image:'

/** Returns the ID of a heading, by the rules of GitHub. */
const idOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

const attribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

/**
 * Renders a page of `docs/guide`.
 *
 * @param base address of the guide, before the names of pages; by default that in the console
 */
export function renderGuide(name: string, markdown: string, base = '/console/guide/'): GuidePage {
  const sections: { id: string; title: string }[] = []
  let title = name
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const plain = text.replaceAll('`', '')
        if (depth === 1) {
          title = plain
          return ''
        }
        const id = idOf(plain)
        if (depth === 2) sections.push({ id, title: plain })
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const text = this.parser.parseInline(tokens)
        const target = targetOf(href, base)
        if (target === undefined) return text
        const other = /^https?:/.test(target) ? ' target="_blank" rel="noreferrer"' : ''
        return `<a href="${attribute(target)}"${other}>${text}</a>`
      },
      image: ({ href, text }: Tokens.Image) => `<img alt="${attribute(text)}" src="${attribute(href)}">`,
      // Wide tables and code scroll on their own, also by keyboard.
      code: ({ text }: Tokens.Code) =>
        `<pre tabindex="0"><code>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</code></pre>\n`,
      table({ header, rows }: Tokens.Table) {
        const rowOf = (row: Tokens.TableCell[], tag: 'th' | 'td') =>
          `<tr>${row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>\n`
        const body = rows.map((row) => rowOf(row, 'td')).join('')
        const table = `<table><thead>${rowOf(header, 'th')}</thead><tbody>${body}</tbody></table>`
        return `<div class="guide-table" role="group" aria-label="Table" tabindex="0">${table}</div>\n`
      },
    },
  })
  const html = marked.parse(markdown, { async: false })
  return { name, title, sections, html: html.replaceAll(/(src|srcset)="images\//g, `$1="${imagePrefix}`) }
}

/** Address of the guide outside the console. */
export const guideSite = '/docs/guide/'

/** Returns the target of a link; undefined for files that the guide does not contain. */
function targetOf(href: string, base: string): string | undefined {
  if (/^https?:|^#/.test(href)) return href
  if (/^recipes\/\w+\.py$/.test(href)) return `${guideSite}${href}`
  const [, page, hash = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  return page === undefined ? undefined : `${base}${page}${hash}`
}
