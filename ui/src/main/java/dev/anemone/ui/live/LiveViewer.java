// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.live;

import dev.anemone.beam.view.JobView;
import dev.anemone.beam.view.JobViewer;
import dev.anemone.beam.view.ViewSettings;

/** Shows the jobs of this JVM on pages of one server, and writes their reports. */
public final class LiveViewer implements JobViewer {

  @Override
  public JobView open(ViewSettings settings) {
    if (settings.page() && settings.port().isPresent()) {
      // Whoever names a port hears at once when there is no page.
      LivePages.OF_THIS_JVM.start(settings);
    }
    return new LiveView(settings, LivePages.OF_THIS_JVM);
  }
}
