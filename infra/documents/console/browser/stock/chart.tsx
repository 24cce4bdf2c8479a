/** A product's stock over time, drawn by uPlot. The figures beside it show the same as text. */
import { useEffect, useRef } from "preact/hooks";
import UPlot from "uplot";
import type { Point } from "./points.ts";

const height = 220;

function draw(place: HTMLElement, points: readonly Point[]): UPlot {
  /** Colors are the page's, so they follow its light or dark scheme. */
  const color = (name: string): string => {
    place.style.color = `var(--${name})`;
    return getComputedStyle(place).color;
  };
  const paths = UPlot.paths.stepped?.({ align: 1 }) ?? null;
  const line = { paths, width: 2, points: { show: false } };
  const series = (label: string, name: string) => ({ ...line, label, stroke: color(name) });
  const axis = { stroke: color("soft"), grid: { stroke: color("line"), width: 1 }, ticks: { show: false } };
  const options = {
    width: place.clientWidth,
    height,
    ms: 1 as const,
    legend: { live: false },
    cursor: { drag: { x: false, y: false } },
    series: [{}, series("On hand", "accent"), series("Available", "green")],
    axes: [axis, axis],
  };
  const values = (name: keyof Point) => points.map((point) => point[name]);
  return new UPlot(options, [values("at"), values("on_hand"), values("available")], place);
}

interface ChartProps {
  readonly points: readonly Point[];
  readonly at: number | undefined;
}

export function Chart({ points, at }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<UPlot>(null);
  useEffect(() => {
    const { current } = place;
    if (current === null) return;
    const drawn = draw(current, points);
    chart.current = drawn;
    const fit = new ResizeObserver(() => drawn.setSize({ width: current.clientWidth, height }));
    fit.observe(current);
    return () => {
      fit.disconnect();
      drawn.destroy();
    };
  }, [points]);
  useEffect(() => {
    if (at !== undefined) chart.current?.setCursor({ left: chart.current.valToPos(at, "x"), top: 10 });
  }, [at]);
  const last = points.at(-1);
  const label = `Stock over time: ${last?.on_hand} on hand and ${last?.available} available now`;
  return <div ref={place} class="chart" role="img" aria-label={label} />;
}
