import { messageOf } from '../data/console-send.ts'
import { useMissingData } from '../data/missing-data.ts'
import { PushButton } from '../ui/button.tsx'

/** Notice that some data of the page could not be loaded. */
export function NotLoaded() {
  const { error, retry } = useMissingData()
  if (!error) return null
  return (
    <div className="notice bad row wrap" role="alert">
      <span className="grow">Some data could not be loaded: {messageOf(error)}</span>
      <PushButton onClick={retry}>Try again</PushButton>
    </div>
  )
}
