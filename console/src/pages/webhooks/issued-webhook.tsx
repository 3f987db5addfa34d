import type { Webhook } from '@muster/contract/console/console-webhooks'
import { useState } from 'react'
import { PushButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { ChoiceField } from '../../ui/form/field.tsx'
import { bound } from '../../ui/form/form.tsx'
import { CopyButton, SecretText } from '../../ui/text/copy-button.tsx'
import { TestDelivery } from './test-delivery.tsx'
import { type SampleLanguage, sampleLanguages, verifySamples } from './verify-samples.ts'
import { webhookName } from './webhook-words.ts'

/** Shows the secret of an endpoint once, with verification samples and a test event. */
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
    <Dialog title={`Secret of “${webhookName(webhook)}”`} onClose={onClose}>
      <p className="notice warn">
        Copy the secret now. It will not be shown again.
        {overlap !== null && ' Events are also signed with the previous secret for 24 hours.'}
      </p>
      <SecretText text={secret} label="Copy secret" />
      <TestDelivery id={webhook.id} />
      <ChoiceField
        label="Verify signatures"
        choices={sampleLanguages.map((one) => [one, one])}
        {...bound(language, setLanguage)}
      />
      <pre className="sample">{verifySamples[language]}</pre>
      <div className="dialog-actions">
        <CopyButton text={verifySamples[language]} label="Copy sample" />
        <PushButton kind="primary" onClick={onClose}>
          I have copied the secret
        </PushButton>
      </div>
    </Dialog>
  )
}
