import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { foldAscii } from '../../kernel/lib/fold-case.ts'
import { mentionsPerson, type PersonIdentifiers } from '../../kernel/lib/person-mention.ts'

/** Folder for messages when no mail server is configured. */
export const mailFolder = (dataDir: string): string => join(dataDir, 'mail')

/** Deletes the messages in the mail folder that name a person by ID or address. @returns their number */
export function removeMailNaming(dataDir: string, names: PersonIdentifiers): number {
  const folder = mailFolder(dataDir)
  const naming = messagesIn(folder).filter((file) =>
    mentionsPerson(foldAscii(decodedText(readFileSync(join(folder, file)))), names),
  )
  for (const file of naming) rmSync(join(folder, file), { force: true })
  return naming.length
}

function messagesIn(folder: string): string[] {
  try {
    // Includes partial files of a crashed process.
    return readdirSync(folder).filter((name) => /\.eml(\.\d+\.part)?$/.test(name))
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return []
    throw error
  }
}

/** Returns the text of a message and its decoded quoted-printable and base64 parts (RFC 2045, section 6). */
function decodedText(message: Buffer): string {
  const text = message.toString('latin1')
  const unquoted = text
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  const encoded = [...text.matchAll(/\r\n\r\n((?:[A-Za-z0-9+/]{4,}={0,2}\r\n)+)/g)].map(([, lines = '']) =>
    Buffer.from(lines, 'base64').toString(),
  )
  return [message.toString(), Buffer.from(unquoted, 'latin1').toString(), ...encoded].join('\n')
}
