import { createHmac } from 'node:crypto'

/**
 * The header `X-Signature` of a body: `t=<unix seconds>,v1=<hex>`, one `v1` for each secret that is valid. It is
 * HMAC-SHA-256 in upper-case hexadecimal of time, dot and body, keyed with the whole secret (events contract, section 1,
 * rule 2).
 */
export function webhookSignature(body: Buffer, secrets: readonly string[], nowSeconds: number): string {
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', secret).update(`${nowSeconds}.`).update(body)
    return `v1=${hmac.digest('hex').toUpperCase()}`
  })
  return [`t=${nowSeconds}`, ...signatures].join(',')
}
