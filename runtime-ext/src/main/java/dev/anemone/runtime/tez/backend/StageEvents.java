// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.backend;

import dev.anemone.ir.IRVertex;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.event.StagesPlanned;
import dev.anemone.runtime.event.StagesPlanned.Stage;
import dev.anemone.runtime.event.StagesPlanned.StageLink;
import dev.anemone.runtime.stage.Link;
import dev.anemone.runtime.stage.StagePlan;
import java.util.ArrayList;
import java.util.List;

/** The stages of a job as an event. */
final class StageEvents {

  private StageEvents() {}

  static StagesPlanned planned(List<StagePlan> plans, long time) {
    List<StageLink> links = new ArrayList<>();
    for (StagePlan plan : plans) {
      plan.inputs().forEach(link -> links.add(link(link, plan.stage().name())));
    }
    return new StagesPlanned(time, plans.stream().map(StageEvents::stage).toList(), links);
  }

  private static Stage stage(StagePlan plan) {
    List<String> names = plan.stage().vertices().stream().map(IRVertex::name).toList();
    return new Stage(
        plan.stage().name(),
        String.join(" \u2192 ", names),
        plan.stage().vertices().stream().map(IRVertex::id).toList(),
        plan.stage().parallelism(),
        names);
  }

  private static StageLink link(Link link, String consumer) {
    return new StageLink(
        link.peer(),
        consumer,
        link.channels().stream().map(channel -> channel.edge().id()).toList(),
        link.channels().get(0).edge().pattern().name(),
        link.property(DataStore.class).orElse(DataStore.LOCAL_FILE).name(),
        link.property(DataFlow.class).orElse(DataFlow.PULL).name());
  }
}
