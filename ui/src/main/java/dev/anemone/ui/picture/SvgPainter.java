// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.picture;

import dev.anemone.beam.explain.PlanWords;
import dev.anemone.beam.view.PlanPainter;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ui.picture.PlanLayout.Box;
import dev.anemone.ui.picture.PlanLayout.Line;
import java.io.StringWriter;
import java.util.Locale;
import java.util.stream.Collectors;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * Plans as SVG: vertices as boxes, edges as lines, with the same words as {@code --explain=tree}.
 */
public final class SvgPainter implements PlanPainter {

  private static final double TITLE = 30;
  private static final double MARGIN = 10;
  private static final double LINE_HEIGHT = 16;
  private static final String STYLE =
      "text{font:12px sans-serif;fill:#222}.title{font-weight:bold}.words{fill:#555}"
          + "rect{fill:#f4f6f8;stroke:#567;rx:4}.source{fill:#e3f0e3}"
          + "polyline{fill:none;stroke:#789;stroke-width:1.5}.shuffle{stroke:#a50;stroke-width:3}"
          + ".broadcast{stroke-dasharray:5 3}";

  @Override
  public String svg(String title, IRDag plan) {
    PlanLayout layout = PlanLayout.of(plan);
    StringWriter text = new StringWriter();
    try {
      XMLStreamWriter out = XMLOutputFactory.newInstance().createXMLStreamWriter(text);
      write(out, title, layout);
      out.close();
    } catch (XMLStreamException e) {
      throw new IllegalStateException("a string can be written to", e);
    }
    return text + "\n";
  }

  private static void write(XMLStreamWriter out, String title, PlanLayout layout)
      throws XMLStreamException {
    out.writeStartElement("svg");
    out.writeDefaultNamespace("http://www.w3.org/2000/svg");
    String width = number(layout.width());
    String height = number(layout.height() + TITLE);
    out.writeAttribute("width", width);
    out.writeAttribute("height", height);
    out.writeAttribute("viewBox", "0 0 " + width + " " + height);
    element(out, "style", STYLE);
    text(out, "title", MARGIN, LINE_HEIGHT + MARGIN / 2, title);
    out.writeStartElement("g");
    out.writeAttribute("transform", "translate(0," + number(TITLE) + ")");
    for (Line line : layout.lines()) {
      write(out, line);
    }
    for (Box box : layout.boxes()) {
      write(out, box);
    }
    out.writeEndElement();
    out.writeEndElement();
  }

  private static void write(XMLStreamWriter out, Line line) throws XMLStreamException {
    out.writeCharacters("\n");
    out.writeStartElement("g");
    out.writeStartElement("polyline");
    out.writeAttribute("class", line.edge().pattern().name().toLowerCase(Locale.ROOT));
    out.writeAttribute(
        "points",
        line.points().stream()
            .map(point -> number(point.x()) + "," + number(point.y()))
            .collect(Collectors.joining(" ")));
    out.writeEndElement();
    if (line.label().isPresent()) {
      double x = line.label().get().x() + MARGIN / 2;
      double y = line.label().get().y() + LINE_HEIGHT * 3 / 4;
      text(out, "words", x, y, PlanWords.of(line.edge()));
    }
    out.writeEndElement();
  }

  private static void write(XMLStreamWriter out, Box box) throws XMLStreamException {
    out.writeCharacters("\n");
    out.writeStartElement("g");
    // Shown where the pointer rests.
    element(out, "title", box.vertex().name());
    out.writeStartElement("rect");
    out.writeAttribute("class", box.vertex() instanceof SourceVertex ? "source" : "operator");
    out.writeAttribute("x", number(box.x()));
    out.writeAttribute("y", number(box.y()));
    out.writeAttribute("width", number(box.width()));
    out.writeAttribute("height", number(box.height()));
    out.writeEndElement();
    text(out, "name", box.x() + MARGIN, box.y() + LINE_HEIGHT, PlanWords.title(box.vertex()));
    text(out, "words", box.x() + MARGIN, box.y() + 2 * LINE_HEIGHT, PlanWords.of(box.vertex()));
    out.writeEndElement();
  }

  private static void text(XMLStreamWriter out, String kind, double x, double y, String text)
      throws XMLStreamException {
    out.writeStartElement("text");
    out.writeAttribute("class", kind);
    out.writeAttribute("x", number(x));
    out.writeAttribute("y", number(y));
    out.writeCharacters(text);
    out.writeEndElement();
  }

  private static void element(XMLStreamWriter out, String name, String text)
      throws XMLStreamException {
    out.writeStartElement(name);
    out.writeCharacters(text);
    out.writeEndElement();
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
