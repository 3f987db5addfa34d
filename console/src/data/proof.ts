/** Shows the dialog that asks who is signed in to prove it, and resolves with whether they did. */
type Asker = () => Promise<boolean>

let asker: Asker | undefined
let asked: Promise<boolean> | undefined

/** The dialog says that it is there. */
export function setProofAsker(next: Asker | undefined): void {
  asker = next
}

/** Asks once for a proof of who is signed in, however many requests want one. */
export function askForProof(): Promise<boolean> {
  asked ??= (asker?.() ?? Promise.resolve(false)).finally(() => {
    asked = undefined
  })
  return asked
}
