import { hostname } from 'node:os'
import type { Config } from '../../../kernel/config/config.ts'
import { environmentName } from '../../../kernel/config/config-settings.ts'
import { ConfigError } from '../../../kernel/lib/config-error.ts'
import { type StreamDeclaration, shownTarget, streamsOf } from '../../streams/stream-declarations.ts'
import { type DoctorCheck, fail, messageOf, type NamedFinding, named, ok } from '../doctor-check.ts'
import { withOwnGuard } from '../own-guard.ts'

const answerWithinMs = 3000

/**
 * Checks that the receivers of events can be reached and, as far as they tell without an event, accept the credentials. The
 * events file has a check of its own.
 */
export const eventReceiversCheck: DoctorCheck = {
  name: 'event receivers',
  run: ({ config }) =>
    Promise.all(
      streamsOf(config)
        .filter(({ kind }) => kind !== 'FILE')
        .map((stream) => checkReceiver(stream, config)),
    ),
}

async function checkReceiver(stream: StreamDeclaration, config: Config): Promise<NamedFinding> {
  const { kind, setting, title } = stream
  const isOwn = config.sources[setting] === 'console'
  const name = `The ${title} at ${shownTarget(stream, config)}${isOwn ? ', set in the console,' : ''}`
  const check = kind.toLowerCase()
  try {
    await withOwnGuard(config, setting, async (guard) => {
      const target = stream.create(config, { hostname: hostname(), timeoutMs: answerWithinMs, guard })
      try {
        await target.deliver([])
      } finally {
        await target.close()
      }
    })
    return named(check, ok(`${name} is reachable.`))
  } catch (error) {
    const authority = kind === 'SYSLOG' ? 'MUSTER_EVENTS_SYSLOG_CA' : 'MUSTER_EVENTS_CA'
    const place = isOwn
      ? 'its address and credentials under Settings in the console are right'
      : `${environmentName(setting)} and its credentials are right, and that ${authority} contains the issuer of its certificate`
    const advice =
      error instanceof ConfigError
        ? 'Correct it; muster config shows the settings in effect.'
        : `Check that it runs, that ${place}. Events are kept until it takes them.`
    return named(check, fail(`${name} cannot be used: ${messageOf(error)}.`, advice))
  }
}
