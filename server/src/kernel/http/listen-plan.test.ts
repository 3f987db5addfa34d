import { expect, test } from 'vitest'
import { type ListenOptions, listenPlan } from './listen-plan.ts'

const planFor = (options: Partial<ListenOptions>): string =>
  listenPlan({
    ...{
      plainHttp: true,
      host: '0.0.0.0',
      port: 8443,
      metricsPort: 9464,
      metricsHost: '127.0.0.1',
      trustProxy: false,
    },
    ...options,
  })

test.each([
  [{ plainHttp: false }, 'https'],
  [{ plainHttp: false, tlsCert: 'cert.pem' }, 'https'],
  [{ host: '127.0.0.1' }, 'http'],
  [{ host: '127.8.9.1' }, 'http'],
  [{ host: '::1' }, 'http'],
  [{ host: 'localhost' }, 'http'],
  [{ trustProxy: ['10.0.0.0/8'] }, 'http'],
  [{ trustProxy: true }, 'http'],
  [{ plainHttp: false, port: 0, metricsPort: 0 }, 'https'],
  [{ plainHttp: false, host: '192.0.2.1', port: 9464 }, 'https'],
  [{ plainHttp: false, host: '127.0.0.1', port: 9464, metricsHost: '192.0.2.1' }, 'https'],
] as const)('%o is served over %s', (options, scheme) => {
  expect(planFor(options)).toBe(scheme)
})

test.each(['0.0.0.0', '::', '192.0.2.1', 'muster.example.com', '127.example.com'])(
  'plain HTTP on %s is rejected with all alternatives',
  (host) => {
    expect(() => planFor({ host })).toThrow(
      /TLS .*MUSTER_PLAIN_HTTP.*MUSTER_HOST=127\.0\.0\.1.*MUSTER_TRUST_PROXY/,
    )
  },
)

test('plain HTTP with a certificate is rejected', () => {
  expect(() => planFor({ trustProxy: true, tlsCert: 'cert.pem' })).toThrow(
    /MUSTER_PLAIN_HTTP.*MUSTER_TLS_CERT.*Unset one/,
  )
})

test.each(['0.0.0.0', '::', '127.0.0.1', 'localhost'])(
  'the same port for API and metrics on %s is rejected',
  (host) => {
    expect(() => planFor({ plainHttp: false, host, port: 9464 })).toThrow(
      /MUSTER_PORT and MUSTER_METRICS_PORT are both 9464/,
    )
  },
)

test.each([
  ['192.0.2.1', '0.0.0.0'],
  ['192.0.2.1', '192.0.2.1'],
])('the same port for API on %s and metrics on %s is rejected', (host, metricsHost) => {
  expect(() => planFor({ plainHttp: false, host, metricsHost, port: 9464 })).toThrow(/are both 9464/)
})
