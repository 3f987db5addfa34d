import { messageOf, send } from '../data/console-send.ts'
import { tell } from '../ui/dialog/toasts.tsx'

/**
 * Saves a file that the server makes. First something small is asked for that it would refuse for the same reasons: a refusal
 * of the file itself would stand in place of the console.
 *
 * @param path where the file is
 * @param asked where the small thing is
 */
export async function saveFile(path: string, asked: string): Promise<void> {
  try {
    await send('GET', asked)
    location.assign(path)
  } catch (error) {
    tell(messageOf(error), true)
  }
}
