import type { Banner } from '@muster/contract/records/controls'
import { useSession } from '../../../data/session.ts'

/** Default button labels of the agent (agent/src/ui/texts.ts). */
const defaultButtons: Readonly<Record<Banner['mode'], string>> = {
  INFORM: 'Close',
  ACKNOWLEDGE: 'I understand',
  REASON: 'Continue',
  BLOCK: 'Go back',
}

/** Approximate preview of a banner as employees see it. */
export function BannerPreview({
  mode,
  title,
  subtext,
  buttonText,
}: Pick<Banner, 'mode' | 'title' | 'subtext' | 'buttonText'>) {
  const { data: session } = useSession()
  const button = mode === 'BLOCK' ? defaultButtons.BLOCK : (buttonText ?? defaultButtons[mode])
  return (
    <div className="field">
      <span className="label">Preview</span>
      <div className={`banner-stage ${mode === 'INFORM' ? 'aside' : ''}`}>
        <div className="banner-preview">
          <p className="soft small">Notice from {session?.organization}</p>
          <p className="banner-title">{title || 'Title'}</p>
          {subtext !== '' && <p className="banner-text">{subtext}</p>}
          {mode === 'BLOCK' && <p>This app must not be used.</p>}
          {mode === 'REASON' && (
            <div className="stack tight">
              <span>Why do you need this app?</span>
              <span className="banner-reason" />
            </div>
          )}
          <span className="banner-button">{button}</span>
        </div>
      </div>
    </div>
  )
}
