import { hostname } from 'node:os'
import { ConfigError } from '../../../kernel/lib/config-error.ts'
import { syslogTarget } from '../../streams/streams.ts'
import { type DoctorCheck, fail, messageOf, ok } from '../doctor-check.ts'

const answerWithinMs = 3000

/** Checks that the configured syslog receiver accepts connections. Sends no message. */
export const syslogCheck: DoctorCheck = {
  name: 'syslog',
  run: async ({ config }) => {
    const { eventsSyslogUrl: url } = config
    try {
      const target = syslogTarget(config, hostname(), answerWithinMs)
      if (target === undefined) return []
      await target.deliver([])
      return [ok(`The syslog receiver at ${url} is reachable.`)]
    } catch (error) {
      const advice =
        error instanceof ConfigError
          ? 'Correct it; muster config shows the settings in effect.'
          : 'Check that it runs, that MUSTER_EVENTS_SYSLOG_URL is right, and that MUSTER_EVENTS_SYSLOG_CA contains the issuer of its certificate. Events are kept until it is reachable.'
      return [fail(`The syslog receiver at ${url} cannot be used: ${messageOf(error)}.`, advice)]
    }
  },
}
