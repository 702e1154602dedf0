// picture.mjs: node web/page/picture.mjs [OUT.png]: the README's picture, docs/page.png, of the page in web/dist/page.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch, serve, web } from '../test/browser.mjs';

const out = process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '../../docs/page.png');
const folder = process.env.SUPPLE_PAGE ?? join(web, 'dist/page');
const server = await serve({ '/page': folder });
const browser = await launch();
try {
  const tab = await browser.newPage({ viewport: { width: 1200, height: 720 }, reducedMotion: 'reduce', colorScheme: 'light' });
  await tab.goto(`${server.url}/page/index.html#sample=figure`);
  await tab.waitForFunction(() => document.documentElement.dataset.ready === 'true');
  await tab.locator('#worst').click();
  await tab.waitForFunction(() => /LBS/.test(document.getElementById('scan').textContent), null, { timeout: 120000 });
  await tab.locator('#check-summary').filter({ hasText: /[a-z]$/ }).waitFor();
  await tab.evaluate(() => window.supplePage.stage.move({ turn: [0.25, 0.1] }));
  await tab.waitForTimeout(500);
  await tab.screenshot({ path: out });
} finally {
  await browser.close();
  server.close();
}
