/** How a receiver tells that an event comes from Muster (events contract, section 1, rule 2), by language. */
export const verifySamples = {
  TypeScript: `import { verifyWebhook } from '@muster/sdk/webhook-verify'

const verdict = await verifyWebhook({
  body, // the bytes as they came, before anything has parsed them
  header: request.headers['x-signature'],
  secrets: [process.env.MUSTER_WEBHOOK_SECRET],
})
if (!verdict.valid) return respond(401, verdict.fault)`,
  Python: `import hashlib, hmac, time

def is_from_muster(secret: str, header: str, body: bytes) -> bool:
    parts = [part.split("=", 1) for part in header.split(",")]
    signed_at = dict(parts)["t"]
    if abs(time.time() - int(signed_at)) > 35 * 60:
        return False
    message = signed_at.encode() + b"." + body
    wanted = hmac.new(secret.encode(), message, hashlib.sha256).hexdigest().upper()
    return any(name == "v1" and hmac.compare_digest(wanted, value) for name, value in parts)`,
} as const

export type SampleLanguage = keyof typeof verifySamples
export const sampleLanguages = Object.keys(verifySamples) as SampleLanguage[]
