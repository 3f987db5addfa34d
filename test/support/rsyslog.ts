import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
// biome-ignore lint/correctness/useImportExtensions: the rule takes the declaration file for the module.
import { programs } from '../../scripts/programs.mjs'
import { makeSelfSigned } from '../../server/src/kernel/http/self-signed.ts'
import { clientCertificate } from './client-certificate.ts'
import { freePort, type PrivateServer, startPrivateServer } from './private-server.ts'
import { until } from './until.ts'

/** A real rsyslogd of this test's own, as organizations run it in front of a SIEM. */
export interface Rsyslog {
  readonly port: number
  /** The certificate that it shows, if it speaks TLS. */
  readonly certificate: string | undefined
  /** What it trusts if it asks who sends. */
  readonly trusted: { readonly cert: string; readonly key: string } | undefined
  /** The messages that it has received, as they came, in the order in which they came. */
  messages(): string[]
  /** Takes connections on its port; also again, after it was stopped. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Stops it, and removes what it has received. */
  close(): Promise<void>
}

/**
 * An rsyslogd that is not running yet, on a free port of 127.0.0.1. By `mutual tls` it takes messages only from senders
 * with a certificate that it trusts.
 */
export async function rsyslog(transport: 'tcp' | 'tls' | 'mutual tls'): Promise<Rsyslog> {
  const program = programs.rsyslog.find()
  if (!program) throw new Error('rsyslogd is not installed: npm test installs it, or says how to')
  const folder = mkdtempSync(join(tmpdir(), 'muster-test-rsyslog-'))
  const received = join(folder, 'received.log')
  const port = await freePort()
  const pair = transport !== 'tcp' ? await makeSelfSigned(['127.0.0.1'], Date.now()) : undefined
  const trusted = transport === 'mutual tls' ? await clientCertificate() : undefined
  if (pair) {
    writeFileSync(join(folder, 'ca.pem'), `${pair.cert}${trusted?.cert ?? ''}\n`)
    writeFileSync(join(folder, 'cert.pem'), pair.cert)
    writeFileSync(join(folder, 'key.pem'), pair.key, { mode: 0o600 })
  }
  const config = join(folder, 'rsyslog.conf')
  writeFileSync(config, configuration({ folder, received, port, transport }))
  let running: PrivateServer | undefined
  const stop = async (): Promise<void> => {
    await running?.stop()
    running = undefined
  }
  return {
    port,
    certificate: pair?.cert,
    trusted,
    messages: () => (existsSync(received) ? readFileSync(received, 'utf8').split('\n').slice(0, -1) : []),
    start: async () => {
      running = await startPrivateServer({
        command: [program, '-n', '-f', config, '-i', 'NONE'],
        folder: mkdtempSync(join(tmpdir(), 'muster-test-rsyslogd-')),
        stopSignal: 'TERM',
      })
      await until('rsyslogd', () => answers(port))
    },
    stop,
    close: async () => {
      await stop()
      rmSync(folder, { recursive: true })
    },
  }
}

/** What it receives is written to a file as it came. */
const configuration = (options: {
  folder: string
  received: string
  port: number
  transport: 'tcp' | 'tls' | 'mutual tls'
}): string => {
  const { folder, received, port, transport } = options
  const isSecured = transport !== 'tcp'
  const asksFor = transport === 'tls' ? 'anon' : 'x509/certvalid'
  const driver = `defaultNetstreamDriverCAFile="${folder}/ca.pem" defaultNetstreamDriverCertFile="${folder}/cert.pem" defaultNetstreamDriverKeyFile="${folder}/key.pem"`
  const mode = `streamDriver.name="ossl" streamDriver.mode="1" streamDriver.authMode="${asksFor}"`
  return `
global(workDirectory="${folder}" maxMessageSize="64k" ${isSecured ? driver : ''})
module(load="imtcp" ${isSecured ? mode : ''})
template(name="asItCame" type="string" string="%rawmsg%\\n")
ruleset(name="received") {
  action(type="omfile" file="${received}" template="asItCame")
}
input(type="imtcp" address="127.0.0.1" port="${port}" ruleset="received")
`
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const answer = (isThere: boolean) => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('connect', () => answer(true))
    socket.once('error', () => answer(false))
  })
