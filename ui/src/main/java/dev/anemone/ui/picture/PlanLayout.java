// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.picture;

import dev.anemone.beam.explain.PlanWords;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.property.CommunicationPattern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.elk.alg.layered.options.LayeredMetaDataProvider;
import org.eclipse.elk.alg.layered.options.LayeredOptions;
import org.eclipse.elk.core.RecursiveGraphLayoutEngine;
import org.eclipse.elk.core.data.LayoutMetaDataService;
import org.eclipse.elk.core.math.ElkPadding;
import org.eclipse.elk.core.options.CoreOptions;
import org.eclipse.elk.core.options.Direction;
import org.eclipse.elk.core.options.EdgeRouting;
import org.eclipse.elk.core.util.BasicProgressMonitor;
import org.eclipse.elk.graph.ElkEdge;
import org.eclipse.elk.graph.ElkEdgeSection;
import org.eclipse.elk.graph.ElkLabel;
import org.eclipse.elk.graph.ElkNode;
import org.eclipse.elk.graph.util.ElkGraphUtil;

/**
 * Where the boxes and lines of a plan go: data flows down. Layered, as Sugiyama, Tagawa and Toda
 * have it (IEEE SMC 11(2), 1981), by the Eclipse Layout Kernel.
 *
 * @param width of the whole, in pixels
 * @param height of the whole
 * @param boxes one for each vertex
 * @param lines one for each edge
 */
record PlanLayout(double width, double height, List<Box> boxes, List<Line> lines) {

  /** About what a character of 12 pixels is wide. */
  private static final double CHARACTER = 7;

  private static final double LINE_HEIGHT = 16;
  private static final double MARGIN = 10;
  private static final double GAP = 30;

  /** A vertex. */
  record Box(IRVertex vertex, double x, double y, double width, double height) {}

  /** A point. */
  record Point(double x, double y) {}

  /**
   * An edge.
   *
   * @param points its ends and bends
   * @param label where what is said of it begins; empty when data goes one to one
   */
  record Line(IREdge edge, List<Point> points, Optional<Point> label) {}

  static PlanLayout of(IRDag plan) {
    LayoutMetaDataService.getInstance()
        .registerLayoutMetaDataProviders(new LayeredMetaDataProvider());
    ElkNode root = ElkGraphUtil.createGraph();
    root.setProperty(CoreOptions.ALGORITHM, LayeredOptions.ALGORITHM_ID);
    root.setProperty(CoreOptions.DIRECTION, Direction.DOWN);
    root.setProperty(CoreOptions.EDGE_ROUTING, EdgeRouting.ORTHOGONAL);
    root.setProperty(CoreOptions.PADDING, new ElkPadding(MARGIN));
    root.setProperty(LayeredOptions.SPACING_NODE_NODE_BETWEEN_LAYERS, GAP);
    Map<IRVertex, ElkNode> nodes = new LinkedHashMap<>();
    Map<String, ElkNode> byId = new HashMap<>();
    for (IRVertex vertex : plan.vertices()) {
      ElkNode node = ElkGraphUtil.createNode(root);
      node.setDimensions(
          width(PlanWords.title(vertex), PlanWords.of(vertex)), 2 * LINE_HEIGHT + MARGIN);
      nodes.put(vertex, node);
      byId.put(vertex.id(), node);
    }
    Map<IREdge, ElkEdge> edges = new LinkedHashMap<>();
    for (IREdge edge : plan.edges()) {
      ElkEdge line = ElkGraphUtil.createSimpleEdge(byId.get(edge.from()), byId.get(edge.to()));
      if (edge.pattern() != CommunicationPattern.ONE_TO_ONE) {
        ElkLabel label = ElkGraphUtil.createLabel(PlanWords.of(edge), line);
        label.setDimensions(width(PlanWords.of(edge)), LINE_HEIGHT);
      }
      edges.put(edge, line);
    }
    new RecursiveGraphLayoutEngine().layout(root, new BasicProgressMonitor());
    List<Box> boxes = new ArrayList<>();
    nodes.forEach(
        (vertex, node) ->
            boxes.add(
                new Box(vertex, node.getX(), node.getY(), node.getWidth(), node.getHeight())));
    List<Line> lines = new ArrayList<>();
    edges.forEach((edge, line) -> lines.add(line(edge, line)));
    return new PlanLayout(root.getWidth(), root.getHeight(), boxes, lines);
  }

  private static double width(String... texts) {
    int longest = 0;
    for (String text : texts) {
      longest = Math.max(longest, text.length());
    }
    return longest * CHARACTER + 2 * MARGIN;
  }

  private static Line line(IREdge edge, ElkEdge laid) {
    List<Point> points = new ArrayList<>();
    for (ElkEdgeSection section : laid.getSections()) {
      points.add(new Point(section.getStartX(), section.getStartY()));
      section.getBendPoints().forEach(bend -> points.add(new Point(bend.getX(), bend.getY())));
      points.add(new Point(section.getEndX(), section.getEndY()));
    }
    Optional<Point> label =
        laid.getLabels().stream().findFirst().map(text -> new Point(text.getX(), text.getY()));
    return new Line(edge, points, label);
  }
}
