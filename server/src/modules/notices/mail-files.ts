import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { foldAscii } from '../../kernel/lib/fold-case.ts'
import { mentionsPerson, type PersonIdentifiers } from '../../kernel/lib/person-mention.ts'

/** The folder within the data folder where messages go while no mail server is set. */
export const mailFolder = (dataDir: string): string => join(dataDir, 'mail')

/** Removes the messages in the mail folder that name a person by ID or address. @returns how many */
export function removeMailNaming(dataDir: string, names: PersonIdentifiers): number {
  const folder = mailFolder(dataDir)
  const naming = messagesIn(folder).filter((file) =>
    mentionsPerson(foldAscii(readable(readFileSync(join(folder, file)))), names),
  )
  for (const file of naming) rmSync(join(folder, file), { force: true })
  return naming.length
}

function messagesIn(folder: string): string[] {
  try {
    // With those of a process that was killed while it wrote one.
    return readdirSync(folder).filter((name) => /\.eml(\.\d+\.part)?$/.test(name))
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return []
    throw error
  }
}

/** The text of a message, followed by its parts as they read without quoted-printable and base64 (RFC 2045, section 6). */
function readable(message: Buffer): string {
  const text = message.toString('latin1')
  const unquoted = text
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  const encoded = [...text.matchAll(/\r\n\r\n((?:[A-Za-z0-9+/]{4,}={0,2}\r\n)+)/g)].map(([, lines = '']) =>
    Buffer.from(lines, 'base64').toString(),
  )
  return [message.toString(), Buffer.from(unquoted, 'latin1').toString(), ...encoded].join('\n')
}
