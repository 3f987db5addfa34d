import { expect, test } from 'vitest'
import { listenPlan } from './listen-plan.ts'

test.each([
  [{ plainHttp: false, host: '0.0.0.0', trustProxy: false }, 'https'],
  [{ plainHttp: true, host: '127.0.0.1', trustProxy: false }, 'http'],
  [{ plainHttp: true, host: '127.8.9.1', trustProxy: false }, 'http'],
  [{ plainHttp: true, host: '::1', trustProxy: false }, 'http'],
  [{ plainHttp: true, host: 'localhost', trustProxy: false }, 'http'],
  [{ plainHttp: true, host: '0.0.0.0', trustProxy: ['10.0.0.0/8'] }, 'http'],
  [{ plainHttp: true, host: '0.0.0.0', trustProxy: true }, 'http'],
] as const)('%o is served by %s', (options, scheme) => {
  expect(listenPlan(options)).toBe(scheme)
})

test.each(['0.0.0.0', '::', '192.0.2.1', 'muster.example.com', '127.example.com'])(
  'plain HTTP on %s is refused with all ways out',
  (host) => {
    const plan = () => listenPlan({ plainHttp: true, host, trustProxy: false })
    expect(plan).toThrow(/TLS .*MUSTER_PLAIN_HTTP.*MUSTER_HOST=127\.0\.0\.1.*MUSTER_TRUST_PROXY/)
  },
)
