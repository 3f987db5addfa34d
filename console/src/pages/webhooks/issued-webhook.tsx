import type { Webhook } from '@muster/contract/console/console-webhooks'
import { useState } from 'react'
import { PushButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { ChoiceField } from '../../ui/form/field.tsx'
import { bound } from '../../ui/form/form.tsx'
import { CopyButton, SecretText } from '../../ui/text/copy-button.tsx'
import { TestSending } from './test-sending.tsx'
import { type SampleLanguage, sampleLanguages, verifySamples } from './verify-samples.ts'
import { webhookName } from './webhook-words.ts'

/** The secret of an endpoint, shown this once, how to verify with it, and an event to try it. */
export function IssuedWebhook({
  issued: { webhook, secret },
  onClose,
}: {
  issued: { readonly webhook: Webhook; readonly secret: string }
  onClose: () => void
}) {
  const [language, setLanguage] = useState<SampleLanguage>('TypeScript')
  const { previousSecretEndTimestamp: overlap } = webhook
  return (
    <Dialog title={`The secret of “${webhookName(webhook)}”`} onClose={onClose}>
      <p className="notice warn">
        Copy the secret now: it is not shown again.
        {overlap !== null && ' For 24 hours events are signed with the one before, too.'}
      </p>
      <SecretText text={secret} label="Copy the secret" />
      <TestSending id={webhook.id} />
      <ChoiceField
        label="Verify what arrives"
        choices={sampleLanguages.map((one) => [one, one])}
        {...bound(language, setLanguage)}
      />
      <pre className="sample">{verifySamples[language]}</pre>
      <div className="dialog-actions">
        <CopyButton text={verifySamples[language]} label="Copy the sample" />
        <PushButton kind="primary" onClick={onClose}>
          I have copied the secret
        </PushButton>
      </div>
    </Dialog>
  )
}
