// The screens that pages are measured on: three widths, both themes.

import { wrongBoxes } from './boxes.mjs';

/** Words are as wide in the dark: one language shows what the themes do. */
const THEMES = { en: ['light', 'dark'], ru: ['light'], es: ['light'] };

export const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 780, isPhone: true },
];

/** Makes the window a screen of this size; that of a telephone is met by a finger. */
export async function resize(visit, { width, height, isPhone = false }) {
  await visit.page.setViewportSize({ width, height });
  visit.devtools ??= await visit.context.newCDPSession(visit.page);
  await visit.devtools.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 0, mobile: isPhone });
  await visit.devtools.send('Emulation.setTouchEmulationEnabled', { enabled: isPhone });
}

/** Measures the page as it is on every screen, in the themes of a language. Gives the ones that are wrong, while they are shown. */
export async function* wrongOnScreens(visit, language) {
  for (const size of SIZES) {
    await resize(visit, size);
    for (const theme of THEMES[language]) {
      await visit.page.evaluate(async (theme) => {
        document.documentElement.dataset.theme = theme;
        await document.fonts.ready;
        await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
      }, theme);
      const wrong = await wrongBoxes(visit.page, { touch: size.isPhone });
      if (wrong.length > 0) yield { size, theme, wrong };
    }
  }
}
