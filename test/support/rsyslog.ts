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

/** An rsyslogd for one test, set up like a relay in front of a SIEM. */
export interface Rsyslog {
  readonly port: number
  /** Certificate of the server, with TLS. */
  readonly certificate: string | undefined
  /** Client certificate that it trusts, with mutual TLS. */
  readonly trusted: { readonly cert: string; readonly key: string } | undefined
  /** Returns the raw messages in the order of their arrival. */
  messages(): string[]
  /** Starts listening, also after a stop. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Stops it and removes the received messages. */
  close(): Promise<void>
}

/**
 * Creates a stopped rsyslogd on a free port of 127.0.0.1. With `mutual tls` it accepts only senders with a trusted
 * certificate.
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

/** Configuration that writes raw messages to a file. */
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
