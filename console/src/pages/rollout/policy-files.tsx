import { agentIds } from '@muster/contract/rollout/agent-ids'
import { type PolicyFile, policyFiles } from '@muster/contract/rollout/policy-files'
import { policyMistakes } from '@muster/contract/rollout/policy-mistakes'
import { useState } from 'react'
import { PushButton } from '../../ui/button.tsx'
import { ChoiceField, TextField } from '../../ui/form/field.tsx'
import { bound } from '../../ui/form/form.tsx'

const firefoxFiles: readonly string[] = ['firefox', 'mac-firefox']

/** Chooses a platform and downloads its policy file. The token does not leave the browser. */
export function PolicyFiles({ serverUrl, token }: { serverUrl: string; token?: string }) {
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState('windows-chrome')
  const [install, setInstall] = useState('')
  const [chromiumId, setChromiumId] = useState<string>(agentIds.chromiumId)
  const typedToken = token ?? (typed.trim() || undefined)
  const typedId = chromiumId.trim() || agentIds.chromiumId
  const address = install.trim() || undefined
  const files = policyFiles({
    serverUrl,
    enrolmentToken: typedToken ?? 'met_…',
    ...agentIds,
    chromiumId: typedId,
    chromiumUpdateUrl: address,
    firefoxInstallUrl: address,
    makeUuid: () => crypto.randomUUID(),
  })
  const file = files.find(({ id }) => id === chosen)
  const isFirefox = firefoxFiles.includes(chosen)
  // Intune and the Google Admin console install extensions by settings of their own.
  const installs = !/^(?:intune|google)/.test(chosen)
  const mistakes = policyMistakes({
    enrolmentToken: typedToken,
    chromiumId: isFirefox ? undefined : typedId,
    installUrl: installs ? address : undefined,
  })
  return (
    <div className="stack">
      <ChoiceField
        label="Browser and platform"
        choices={files.map(({ id, title }) => [id, title])}
        {...bound(chosen, setChosen)}
      />
      {token === undefined && (
        <TextField
          label="Enrollment token"
          hint="Paste a token, or replace the placeholder in the file later."
          placeholder="met_…"
          autoComplete="off"
          spellCheck={false}
          error={mistakes.enrolmentToken}
          {...bound(typed, setTyped)}
        />
      )}
      {installs && (
        <TextField
          label={
            isFirefox ? 'Address of the signed package (optional)' : 'Update URL of the agent (optional)'
          }
          hint="Where browsers install the agent from. Leave empty if it is installed in another way."
          placeholder={
            isFirefox
              ? 'https://example.com/muster-agent.xpi'
              : 'https://clients2.google.com/service/update2/crx'
          }
          inputMode="url"
          autoComplete="off"
          error={mistakes.installUrl}
          {...bound(install, setInstall)}
        />
      )}
      {!isFirefox && (
        <TextField
          label="Extension ID"
          hint="Change it if you distribute the agent under an ID of your own."
          autoComplete="off"
          spellCheck={false}
          error={mistakes.chromiumId}
          {...bound(chromiumId, setChromiumId)}
        />
      )}
      {file && (
        <>
          <p className="soft small">{file.use}</p>
          <div className="row">
            <PushButton disabled={Object.keys(mistakes).length > 0} onClick={() => download(file)}>
              Download {file.name}
            </PushButton>
          </div>
        </>
      )}
    </div>
  )
}

/** Saves a file that was made in the page. */
function download({ name, type, content }: PolicyFile): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
