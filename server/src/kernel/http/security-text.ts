import type { FastifyInstance } from 'fastify'
import type { Clock } from '../lib/clock.ts'

/** Validity of the file. RFC 9116 recommends less than a year. */
const validDays = 180
const dayMs = 86_400_000

/** Options for security.txt. */
export interface SecurityTextOptions {
  readonly publicUrl: string
  readonly clock: Clock
  /** `mailto:`, `https:` or `tel:` address of the people who run this server. */
  readonly contact: string | undefined
}

/** Returns the conventional mailbox of a domain for vulnerability reports (RFC 2142, section 4). */
const conventionalContact = (publicUrl: string): string => `mailto:security@${new URL(publicUrl).hostname}`

/** Serves `/.well-known/security.txt` (RFC 9116). */
export function registerSecurityText(
  app: FastifyInstance,
  { publicUrl, clock, contact = conventionalContact(publicUrl) }: SecurityTextOptions,
): void {
  const path = '/.well-known/security.txt'
  app.get(path, (_request, reply) => {
    const midnightMs = Math.floor(clock.nowMs() / dayMs) * dayMs
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${new Date(midnightMs + validDays * dayMs).toISOString()}`,
      `Canonical: ${publicUrl}${path}`,
    ]
    return reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(`${lines.join('\n')}\n`)
  })
}
