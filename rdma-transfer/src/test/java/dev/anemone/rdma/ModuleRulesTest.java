// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ModuleRulesTest {

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.anemone.rdma");

  /** Every package is a slice of its own, those below another one, too. */
  @Test
  void packagesFormNoCycle() {
    slices().matching("dev.anemone.(**)").should().beFreeOfCycles().check(CLASSES);
  }
}
