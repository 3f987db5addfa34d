import { type DoctorCheck, ok } from '../doctor-check.ts'

/** Reports that the settings are valid. Invalid settings end the run before any check, see `run-checks.ts`. */
export const settingsCheck: DoctorCheck = {
  name: 'settings',
  run: ({ config: { configFile } }) => [
    ok(
      configFile === undefined
        ? 'The settings are valid.'
        : `The settings are valid; they include ${configFile}.`,
    ),
  ],
}
