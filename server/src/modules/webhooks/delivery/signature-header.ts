import { createHmac } from 'node:crypto'

/**
 * Returns the `X-Signature` header of a body: `t=<unix seconds>,v1=<hex>`, with one `v1` per valid secret. Each is the
 * upper-case hexadecimal HMAC-SHA-256 of `<time>.<body>`, keyed with the whole secret (events contract, section 1, rule 2).
 */
export function webhookSignature(body: Buffer, secrets: readonly string[], nowSeconds: number): string {
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', secret).update(`${nowSeconds}.`).update(body)
    return `v1=${hmac.digest('hex').toUpperCase()}`
  })
  return [`t=${nowSeconds}`, ...signatures].join(',')
}
