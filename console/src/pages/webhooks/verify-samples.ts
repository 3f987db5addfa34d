/** Samples that verify the signature of an event, by language (events contract, section 1, rule 2). */
export const verifySamples = {
  TypeScript: `import { verifyWebhook } from '@muster/sdk/webhook-verify'

const verdict = await verifyWebhook({
  body, // the raw bytes of the request body
  header: request.headers['x-signature'],
  secrets: [process.env.MUSTER_WEBHOOK_SECRET],
})
if (!verdict.valid) return respond(401, verdict.fault)`,
  Python: `import hashlib, hmac, re, time

def is_from_muster(secret: str, header: str, body: bytes) -> bool:
    times = re.findall(r"(?:^|,)t=([0-9]{1,12})(?=,|$)", header)
    signed = re.findall(r"(?:^|,)v1=([0-9A-F]{64})(?=,|$)", header)
    if len(times) != 1 or abs(time.time() - int(times[0])) > 35 * 60:
        return False
    message = times[0].encode() + b"." + body
    wanted = hmac.new(secret.encode(), message, hashlib.sha256).hexdigest().upper()
    return any([hmac.compare_digest(wanted, one) for one in signed])`,
} as const

export type SampleLanguage = keyof typeof verifySamples
export const sampleLanguages = Object.keys(verifySamples) as SampleLanguage[]
