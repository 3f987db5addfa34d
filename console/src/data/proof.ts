/** Shows the re-authentication dialog. Resolves to true if it succeeded. */
type Asker = () => Promise<boolean>

let asker: Asker | undefined
let asked: Promise<boolean> | undefined

/** Registers the dialog, or unregisters it. */
export function setProofAsker(next: Asker | undefined): void {
  asker = next
}

/** Asks the administrator to re-authenticate. Concurrent requests share one dialog. */
export function askForProof(): Promise<boolean> {
  asked ??= (asker?.() ?? Promise.resolve(false)).finally(() => {
    asked = undefined
  })
  return asked
}
