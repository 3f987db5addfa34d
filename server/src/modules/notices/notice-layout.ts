import { textTable } from '../../kernel/cli/text-table.ts'

/** A part of a message, rendered as plain text and as HTML. */
export type MessagePart =
  | string
  | { readonly facts: readonly (readonly [string, string])[] }
  | { readonly list: readonly string[] }
  | { readonly link: string; readonly label: string }
  | { readonly heading: string }
  | { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] }

export interface Message {
  readonly subject: string
  readonly parts: readonly MessagePart[]
}

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** Escapes user-provided text and isolates its direction from the text around it. */
const isolate = (text: string): string => `<bdi>${escapeHtml(text)}</bdi>`

function textOf(part: MessagePart): string {
  if (typeof part === 'string') return part
  if ('facts' in part) return part.facts.map(([name, value]) => `${name}: ${value}`).join('\n')
  if ('list' in part) return part.list.map((entry) => `- ${entry}`).join('\n')
  if ('heading' in part) return part.heading.toUpperCase()
  if ('columns' in part) return textTable(part.columns, part.rows)
  return `${part.label}:\n${part.link}`
}

const cell = 'padding:.25rem 1rem .25rem 0;text-align:left;vertical-align:top'

function htmlOf(part: MessagePart): string {
  if (typeof part === 'string') return `<p>${escapeHtml(part).replaceAll('\n', '<br>')}</p>`
  if ('list' in part) return `<ul>${part.list.map((entry) => `<li>${isolate(entry)}</li>`).join('')}</ul>`
  if ('link' in part) return `<p><a href="${escapeHtml(part.link)}">${escapeHtml(part.label)}</a></p>`
  if ('heading' in part) return `<h2 style="${headingStyle}">${escapeHtml(part.heading)}</h2>`
  if ('columns' in part) return tableOf(part.columns, part.rows)
  const rows = part.facts.map(
    ([name, value]) =>
      `<tr><th scope="row" style="${cell}">${escapeHtml(name)}</th><td style="${cell}">${isolate(value)}</td></tr>`,
  )
  return `<table style="border-collapse:collapse"><tbody>${rows.join('')}</tbody></table>`
}

const headingStyle = 'font-size:1.1rem;line-height:1.3;margin:1.5rem 0 .5rem'
const lineStyle = 'border-bottom:1px solid #8888;padding:.3rem .75rem .3rem 0;vertical-align:top'

/** Returns a table: the first column is a header of its row, the others are numbers or short texts. */
function tableOf(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const align = (column: number) => `${lineStyle};text-align:${column === 0 ? 'left' : 'right'}`
  const head = columns.map(
    (name, column) => `<th scope="col" style="${align(column)}">${escapeHtml(name)}</th>`,
  )
  const body = rows.map((row) => {
    const cells = row.map((text, column) =>
      column === 0
        ? `<th scope="row" style="${align(column)};font-weight:normal">${isolate(text)}</th>`
        : `<td style="${align(column)}">${isolate(text)}</td>`,
    )
    return `<tr>${cells.join('')}</tr>`
  })
  return `<table style="border-collapse:collapse;width:100%"><thead><tr>${head.join('')}</tr></thead><tbody>${body.join('')}</tbody></table>`
}

const bodyStyle = 'margin:0;font:16px/1.6 system-ui,sans-serif'
const mainStyle = 'display:block;max-width:40rem;margin:0 auto;padding:1.5rem'

/**
 * Renders a message as plain text and HTML. The HTML loads no remote content, which would reveal that the message was
 * opened, and uses the color scheme of the reader.
 */
export function renderMessage({ subject, parts }: Message): { subject: string; text: string; html: string } {
  const title = escapeHtml(subject)
  const html = `<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title}</title></head>
<body style="${bodyStyle}"><main style="${mainStyle}">
<h1 style="font-size:1.35rem;line-height:1.3">${title}</h1>
${parts.map(htmlOf).join('\n')}
</main></body></html>
`
  return { subject, text: `${parts.map(textOf).join('\n\n')}\n`, html }
}
