// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ModuleRulesTest {

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.anemone.portability");

  @Test
  void packagesFormNoCycle() {
    slices().matching("dev.anemone.portability.(**)").should().beFreeOfCycles().check(CLASSES);
  }
}
