import { hostname } from 'node:os'
import { ConfigError } from '../../../kernel/lib/config-error.ts'
import { syslogTarget } from '../../streams/streams.ts'
import { type DoctorCheck, fail, messageOf, ok } from '../doctor-check.ts'
import { withOwnGuard } from '../own-guard.ts'

const answerWithinMs = 3000

/** Checks that the syslog receiver accepts connections. Sends no message. */
export const syslogCheck: DoctorCheck = {
  name: 'syslog',
  run: async ({ config }) => {
    const { eventsSyslogUrl: url } = config
    const isOwn = config.sources.eventsSyslogUrl === 'console'
    const name = `The syslog receiver at ${url}${isOwn ? ', set in the console,' : ''}`
    try {
      const isSet = await withOwnGuard(config, 'eventsSyslogUrl', async (guard) => {
        const target = syslogTarget(config, { hostname: hostname(), timeoutMs: answerWithinMs, guard })
        await target?.deliver([])
        return target !== undefined
      })
      return isSet ? [ok(`${name} is reachable.`)] : []
    } catch (error) {
      const place = isOwn
        ? 'its address and certificate authority under Settings, Event streams in the console are right'
        : 'MUSTER_EVENTS_SYSLOG_URL is right, and that MUSTER_EVENTS_SYSLOG_CA contains the issuer of its certificate'
      const advice =
        error instanceof ConfigError
          ? 'Correct it; muster config shows the settings in effect.'
          : `Check that it runs, that ${place}. Events are kept until it is reachable.`
      return [fail(`${name} cannot be used: ${messageOf(error)}.`, advice)]
    }
  },
}
