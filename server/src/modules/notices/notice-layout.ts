/** A part of a message. Its plain text and its HTML are made of the same words. */
export type MessagePart =
  | string
  | { readonly facts: readonly (readonly [string, string])[] }
  | { readonly list: readonly string[] }
  | { readonly link: string; readonly says: string }

/** A message as data. */
export interface Message {
  readonly subject: string
  readonly parts: readonly MessagePart[]
}

/** Text as it stands in HTML. */
const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** Text of others in HTML: its direction does not change the order of what stands beside it. */
const isolated = (text: string): string => `<bdi>${escaped(text)}</bdi>`

function textOf(part: MessagePart): string {
  if (typeof part === 'string') return part
  if ('facts' in part) return part.facts.map(([name, value]) => `${name}: ${value}`).join('\n')
  if ('list' in part) return part.list.map((entry) => `- ${entry}`).join('\n')
  return `${part.says}:\n${part.link}`
}

const cell = 'padding:.25rem 1rem .25rem 0;text-align:left;vertical-align:top'

function htmlOf(part: MessagePart): string {
  if (typeof part === 'string') return `<p>${escaped(part)}</p>`
  if ('list' in part) return `<ul>${part.list.map((entry) => `<li>${isolated(entry)}</li>`).join('')}</ul>`
  if ('link' in part) return `<p><a href="${escaped(part.link)}">${escaped(part.says)}</a></p>`
  const rows = part.facts.map(
    ([name, value]) =>
      `<tr><th scope="row" style="${cell}">${escaped(name)}</th><td style="${cell}">${isolated(value)}</td></tr>`,
  )
  return `<table style="border-collapse:collapse"><tbody>${rows.join('')}</tbody></table>`
}

const bodyStyle = 'margin:0;font:16px/1.6 system-ui,sans-serif'
const mainStyle = 'display:block;max-width:40rem;margin:0 auto;padding:1.5rem'

/**
 * The two forms of a message. Nothing in it comes from elsewhere, so that opening it tells nobody; colors are those of
 * whoever reads it.
 */
export function renderMessage({ subject, parts }: Message): { subject: string; text: string; html: string } {
  const title = escaped(subject)
  const html = `<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title}</title></head>
<body style="${bodyStyle}"><main style="${mainStyle}">
<h1 style="font-size:1.35rem;line-height:1.3">${title}</h1>
${parts.map(htmlOf).join('\n')}
</main></body></html>
`
  return { subject, text: `${parts.map(textOf).join('\n\n')}\n`, html }
}
