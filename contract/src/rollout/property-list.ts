/** Value of a property list. */
export type PlistValue =
  | string
  | number
  | boolean
  | readonly PlistValue[]
  | { readonly [key: string]: PlistValue }

/** Returns an XML property list, as configuration profiles of macOS use it. Numbers must be whole. */
export const plistOf = (value: PlistValue): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
${elementOf(value, '')}
</plist>
`

function elementOf(value: PlistValue, indent: string): string {
  if (typeof value === 'string') return `${indent}<string>${escaped(value)}</string>`
  if (typeof value === 'number') return `${indent}<integer>${value}</integer>`
  if (typeof value === 'boolean') return `${indent}<${value}/>`
  const inner = `${indent}\t`
  if (Array.isArray(value)) {
    const elements = (value as readonly PlistValue[]).map((one) => elementOf(one, inner))
    return [`${indent}<array>`, ...elements, `${indent}</array>`].join('\n')
  }
  const members = Object.entries(value).flatMap(([key, member]) => [
    `${inner}<key>${escaped(key)}</key>`,
    elementOf(member, inner),
  ])
  return [`${indent}<dict>`, ...members, `${indent}</dict>`].join('\n')
}

const escaped = (text: string): string =>
  text.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character] ?? character)
