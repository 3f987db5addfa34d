import type { PageSetting } from '@muster/contract/console/console-settings'
import { Checks } from '../../ui/form/checks.tsx'
import { ChoiceField, TextArea, TextField } from '../../ui/form/field.tsx'
import { CheckField } from '../../ui/form/form.tsx'
import { Facts } from '../../ui/page/card.tsx'

/** Number of words up to which each has its own checkbox. */
const checksMaximum = 8

/**
 * Field of a setting, or its value if it cannot be changed.
 *
 * @param draft unsaved text; null for the default, undefined if unchanged
 */
export function SettingField({
  setting,
  draft,
  onDraft,
}: {
  setting: PageSetting
  draft: string | null | undefined
  onDraft: (text: string | null | undefined) => void
}) {
  const { name, label, value, fallback, isSet, choices, many, lines } = setting
  if (!setting.changeable) return <FixedSetting setting={setting} />
  const text = draft === undefined ? (isSet ? (value ?? '') : '') : (draft ?? '')
  const hint = `${sentence(setting.help)} ${originText(setting)}`
  const common = {
    label,
    name,
    hint,
    value: text,
    onChange: (event: { target: { value: string } }) => onDraft(event.target.value || null),
  }
  if (setting.secret) return <SecretField {...common} setting={setting} draft={draft} onDraft={onDraft} />
  if (many && choices.length > 0 && choices.length <= checksMaximum) {
    const chosen = text === '' ? [] : text.split(',')
    return (
      <Checks
        label={label}
        values={choices}
        chosen={chosen}
        onChange={(words) => onDraft(words.length === 0 ? null : words.join(','))}
      />
    )
  }
  if (choices.length > 0 && !many)
    return (
      <ChoiceField
        {...common}
        value={text === '' ? (fallback ?? '') : text}
        choices={choices.map((word) => [word, word] as const)}
      />
    )
  if (lines) return <TextArea {...common} rows={4} spellCheck={false} />
  return <TextField {...common} placeholder={fallback ?? ''} spellCheck={false} autoComplete="off" />
}

function SecretField({
  label,
  name,
  hint,
  setting: { isSet, lines },
  draft,
  onDraft,
}: {
  label: string
  name: string
  hint: string
  setting: PageSetting
  draft: string | null | undefined
  onDraft: (text: string | null | undefined) => void
}) {
  const facts = {
    label,
    name,
    hint: `${hint} ${isSet ? 'Leave empty to keep it.' : ''}`,
    placeholder: isSet ? 'Set' : 'Not set',
    value: draft ?? '',
    onChange: (event: { target: { value: string } }) => onDraft(event.target.value || undefined),
  }
  return (
    <>
      {lines ? (
        <TextArea {...facts} rows={4} spellCheck={false} />
      ) : (
        <TextField {...facts} type="password" autoComplete="new-password" />
      )}
      {isSet && (
        <CheckField checked={draft === null} onChange={(checked) => onDraft(checked ? null : undefined)}>
          Remove {label.toLowerCase()}
        </CheckField>
      )}
    </>
  )
}

function FixedSetting({ setting }: { setting: PageSetting }) {
  const { label, value, secret, isSet, environment } = setting
  const shown = secret ? (isSet ? 'Set' : 'Not set') : (value ?? 'Not set')
  return (
    <Facts
      facts={[
        [
          label,
          <span key="value">
            <code>{shown}</code> <span className="soft small">{originText(setting, environment)}</span>
          </span>,
        ],
      ]}
    />
  )
}

/** Returns the source of the value in effect. */
function originText({ source, fallback, secret, isSet }: PageSetting, environment?: string): string {
  if (source === 'console') return 'Set here.'
  if (source === 'environment') return `Set by ${environment ?? 'the environment'}.`
  if (source === 'flag') return 'Set by a flag of the server.'
  if (source === 'muster.toml') return 'Set in muster.toml.'
  if (environment !== undefined) return `Default; ${environment} changes it where the server runs.`
  if (secret) return isSet ? '' : 'Not set.'
  return fallback === null ? '' : `Default: ${fallback}.`
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
