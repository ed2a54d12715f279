// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.picture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.view.PlanPainter;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SourcePart;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ui.picture.PlanLayout.Box;
import dev.anemone.ui.picture.PlanLayout.Line;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class SvgPainterTest {

  private static final FunctionSpec CODE = FunctionSpec.of("test:code");

  /** Two sources that are joined. */
  private static IRDag plan() {
    return IRDag.builder()
        .add(source("v1", "Read <orders> & more"))
        .add(source("v2", "Read customers"))
        .add(OperatorVertex.of("v3", "Join", CODE))
        .add(OperatorVertex.of("v4", "Write", CODE))
        .add(IREdge.of("e1", "v1", "v3", CommunicationPattern.SHUFFLE, CODE))
        .add(IREdge.of("e2", "v2", "v3", CommunicationPattern.BROADCAST, CODE))
        .add(IREdge.of("e3", "v3", "v4", CommunicationPattern.ONE_TO_ONE, CODE))
        .build();
  }

  private static SourceVertex source(String id, String name) {
    return SourceVertex.of(id, name, CODE, List.of(new SourcePart(CODE, 2_000_000, List.of())));
  }

  @Test
  void thePictureIsFoundByTheRunnerAndHasEachVertexAndEdge() throws Exception {
    String svg = PlanPainter.find(getClass().getClassLoader()).svg("Default", plan());

    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(svg)));
    assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
    assertThat(document.getElementsByTagName("rect").getLength()).isEqualTo(4);
    assertThat(document.getElementsByTagName("polyline").getLength()).isEqualTo(3);
    assertThat(texts(document.getElementsByTagName("text")))
        .contains("Default", "Read <orders> & more (v1)", "2.0 MB in 1 part", "SHUFFLE");
    assertThat(svg).isEqualTo(new SvgPainter().svg("Default", plan()));
  }

  private static List<String> texts(NodeList nodes) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      texts.add(nodes.item(i).getTextContent());
    }
    return texts;
  }

  @Test
  void dataFlowsDownAndNoBoxLiesOnAnother() {
    PlanLayout layout = PlanLayout.of(plan());

    for (Line line : layout.lines()) {
      assertThat(line.points().get(0).y())
          .isLessThan(line.points().get(line.points().size() - 1).y());
    }
    for (Box one : layout.boxes()) {
      for (Box other : layout.boxes()) {
        if (!one.equals(other)) {
          boolean isApart =
              one.x() + one.width() <= other.x()
                  || other.x() + other.width() <= one.x()
                  || one.y() + one.height() <= other.y()
                  || other.y() + other.height() <= one.y();
          assertThat(isApart).as("%s and %s", one.vertex().id(), other.vertex().id()).isTrue();
        }
      }
    }
  }
}
