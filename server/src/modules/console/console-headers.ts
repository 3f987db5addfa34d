import type { FastifyReply } from 'fastify'

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Security headers of every console response. */
const consoleHeaders = {
  'content-security-policy': policy,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const

/** Sets {@link consoleHeaders} and `cache-control`, by default `no-store`. */
export function setConsoleHeaders(reply: FastifyReply, cacheControl = 'no-store'): void {
  reply.headers({ ...consoleHeaders, 'cache-control': cacheControl })
}
