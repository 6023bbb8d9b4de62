import type { Locator, Page } from 'playwright-core'

/** What a person does on a page, counted: clicks, keys, and texts that are typed or pasted. */
export class Hand {
  clicks = 0
  keys = 0
  texts = 0
  private readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async click(target: Locator): Promise<void> {
    this.clicks++
    await target.click()
  }

  /** Opens a list and clicks on the item that has this text: two clicks. */
  async choose(list: Locator, text: string): Promise<void> {
    this.clicks += 2
    const item = list.locator('option').filter({ hasText: text }).first()
    await item.waitFor({ state: 'attached' })
    await list.selectOption(await item.evaluate((each: HTMLOptionElement) => each.value))
  }

  /** A key, or keys that are pressed together. */
  async press(key: string): Promise<void> {
    this.keys++
    await this.page.keyboard.press(key)
  }

  /** Types where the cursor is. */
  async write(text: string): Promise<void> {
    this.texts++
    await this.page.keyboard.insertText(text)
  }
}
