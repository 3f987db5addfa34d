/**
 * Characters that could garble a line of text, or show it in another order than it is stored in: C0, DEL, C1, line and
 * paragraph separators, the bidirectional controls of Unicode, interlinear annotation marks, the byte order mark and
 * the noncharacters of the basic plane. As a part of a regular expression class that JavaScript, Java and Python read
 * alike. ZWJ and ZWNJ are not among them: emoji, Persian and Indic scripts need them.
 */
const marks =
  '\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufdd0-\\ufdef\\ufeff\\ufff9-\\ufffb\\ufffe\\uffff'
export const notInLine = `\\u0000-\\u001f\\u007f-\\u009f${marks}`
/** Control characters except tab, line feed and carriage return. */
export const notInLines = `\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f${marks}`

const inLine = new RegExp(`[${notInLine}]`, 'g')
const inLines = new RegExp(`[${notInLines}]`, 'g')

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * Returns a text with its control characters, except line breaks and tabs, and its text-direction controls in visible form:
 * `\u202e`. For what browsers report, which cannot be refused. JSON stays JSON with the same value.
 */
export const visibleText = (text: string): string => text.replace(inLines, escaped)

/** Does the same for a text that must stay on one line: line breaks and tabs become visible, too. */
export const visibleLine = (text: string): string => text.replace(inLine, escaped)
