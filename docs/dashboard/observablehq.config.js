import { mkdirSync } from "node:fs";

// Otherwise Framework reports every build to its vendor.
process.env.OBSERVABLE_TELEMETRY_DISABLE ??= "true";

// Pages may import these libraries, so each build requests their newest versions from the registry,
// although this page uses none. An empty cache folder for each prevents this.
const NEVER_LOADED = `@observablehq/plot @observablehq/sample-datasets apache-arrow arquero d3 d3-dsv
  echarts htl leaflet lodash mapbox-gl parquet-wasm react react-dom topojson-client`;
for (const name of NEVER_LOADED.split(/\s+/)) {
  mkdirSync(`src/.observablehq/cache/_npm/${name}@0.0.0`, { recursive: true });
}

const SPADE =
  "%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' " +
  "fill='%230f3c2e'/%3E%3Ctext x='8' y='12.5' font-size='13' text-anchor='middle' fill='%23f5efdf'%3E" +
  "%E2%99%A0%3C/text%3E%3C/svg%3E";
const HEAD = `<meta name="robots" content="noindex">
<link rel="icon" href="data:image/svg+xml,${SPADE}">
<script>
document.documentElement.lang = "en";
// Framework's default prevents zooming.
document.querySelector("meta[name=viewport]").content = "width=device-width, initial-scale=1";
</script>`;

export default {
  root: "src",
  title: "A league in pictures",
  style: "style.css",
  globalStylesheets: [], // the default loads a font from another host
  head: HEAD,
  sidebar: false,
  toc: false,
  pager: false,
  footer:
    "Read from the league's feeds. " +
    "Reopened nights and voided hands are not counted.",
};
